-- mirror: settings of every kind of entity as they were before, and the lists of accounts.

-- 20 bytes; null when none is set.
alter table entity_settings add column delegation_address blob;

-- The bytes of a key that is one primitive key, also as the only member of a list or threshold; null for every other
-- key. Written with the key: fixtures state it beside a key that they leave out.
drop index entity_settings_by_public_key;
alter table entity_settings drop column public_key;
alter table entity_settings add column public_key blob;
update entity_settings set public_key =
  case
    when length(key) = 34 and substr(key, 1, 2) = x'1220' then substr(key, 3)
    when length(key) = 35 and substr(key, 1, 2) = x'3a21' then substr(key, 3)
    when length(key) = 38 and substr(key, 1, 6) = x'32240a221220' then substr(key, 7)
    when length(key) = 39 and substr(key, 1, 6) = x'32250a233a21' then substr(key, 7)
    when length(key) = 42 and substr(key, 1, 10) = x'2a28080112240a221220' then substr(key, 11)
    when length(key) = 43 and substr(key, 1, 10) = x'2a29080112250a233a21' then substr(key, 11)
    when length(key) = 0 then key
  end
where key is not null;
create index entity_settings_by_public_key on entity_settings (public_key) where public_key is not null;

-- A row for each time at which settings gave way to others: they held from lower_ts until before upper_ts. The balance
-- is that before upper_ts; null while it was unknown.
create table entity_history (
  id integer not null,
  lower_ts integer not null,
  upper_ts integer not null,
  key blob,
  memo text,
  auto_renew_period integer,
  auto_renew_account integer,
  expiry_ts integer,
  deleted integer,
  receiver_sig_required integer,
  max_automatic_associations integer,
  decline_reward integer,
  staked_account integer,
  staked_node integer,
  stake_period_start integer,
  ethereum_nonce integer,
  proxy_account integer,
  obtainer integer,
  permanent_removal integer,
  delegation_address blob,
  public_key blob,
  balance integer,
  balance_ts integer,
  primary key (id, lower_ts)
) strict, without rowid;

-- Accounts and contracts, and what is known from transfers alone: walks along them meet no token, topic or schedule.
create index entity_accounts on entity (id) where type is null or type in ('ACCOUNT', 'CONTRACT');
