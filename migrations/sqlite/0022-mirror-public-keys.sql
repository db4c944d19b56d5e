-- mirror: accounts by public key.

-- The bytes of a key that is one Ed25519 or secp256k1 key, also as the only member of a list or threshold; null for
-- every other key. Computed from what is stored, so that rows of earlier versions are found as well.
alter table entity_settings add column public_key blob generated always as (
  case
    when length(key) = 34 and substr(key, 1, 2) = x'1220' then substr(key, 3)
    when length(key) = 35 and substr(key, 1, 2) = x'3a21' then substr(key, 3)
    when length(key) = 38 and substr(key, 1, 6) = x'32240a221220' then substr(key, 7)
    when length(key) = 39 and substr(key, 1, 6) = x'32250a233a21' then substr(key, 7)
    when length(key) = 42 and substr(key, 1, 10) = x'2a28080112240a221220' then substr(key, 11)
    when length(key) = 43 and substr(key, 1, 10) = x'2a29080112250a233a21' then substr(key, 11)
    when length(key) = 0 then key
  end
) virtual;
create index entity_settings_by_public_key on entity_settings (public_key) where public_key is not null;
