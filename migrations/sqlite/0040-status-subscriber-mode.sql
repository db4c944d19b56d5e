-- How a subscriber gets its news: webhook, slack, teams or email; the endpoint of the last is a mailto address.

ALTER TABLE status_subscriber ADD COLUMN mode TEXT NOT NULL DEFAULT 'webhook';
