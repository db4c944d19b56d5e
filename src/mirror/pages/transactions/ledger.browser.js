// Follows the ledger on the list of transactions: asks for the newest rows, puts new ones on top, and can be paused.
const POLL_MS = 2000;
const SLOWEST_MS = 60_000;
/** Screen readers hear of new rows at most this often. */
const ANNOUNCE_MS = 15_000;
const LAG_MS = 1000;

const bar = document.querySelector('[data-live]');
const status = bar?.querySelector('[role=status]');
const source = bar?.getAttribute('data-live');

if (bar && status && source) follow(bar, status, source);

/**
 * @param {Element} bar
 * @param {Element} status
 * @param {string} source
 */
function follow(bar, status, source) {
  let isPaused = false;
  let wait = POLL_MS;
  /** @type {number | undefined} */
  let timer;
  let unheard = 0;
  let heardAt = -Infinity;

  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  bar.querySelector('a')?.replaceWith(button);
  const label = () => {
    button.textContent = isPaused ? 'Continue' : 'Pause';
    status.textContent = isPaused ? 'Paused.' : 'Live: new transactions appear on top.';
  };
  label();

  button.addEventListener('click', () => {
    isPaused = !isPaused;
    label();
    if (isPaused) clearTimeout(timer);
    else ask();
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!document.hidden && !isPaused) ask();
  });
  setInterval(showLag, LAG_MS);
  later();

  function later() {
    clearTimeout(timer);
    if (!isPaused && !document.hidden) timer = setTimeout(ask, wait);
  }

  async function ask() {
    clearTimeout(timer);
    try {
      // The browser revalidates by the tag: an unchanged ledger costs an empty answer.
      const answer = await fetch(source, { cache: 'no-cache' });
      if (!answer.ok) throw new Error(String(answer.status));
      show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      if (wait !== POLL_MS) label();
      wait = POLL_MS;
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
      if (!isPaused) status.textContent = `No response from the server; retrying in ${wait / 1000} s.`;
    }
    later();
  }

  /** @param {Document} fetched */
  function show(fetched) {
    if (isPaused) return;
    const place = document.querySelector('[data-rows]');
    const newRows = fetched.querySelector('[data-rows]');
    const figures = fetched.querySelector('[data-figures]');
    if (figures) document.querySelector('[data-figures]')?.replaceWith(figures);
    showLag();
    const body = place?.querySelector('tbody');
    if (!place || !newRows) return;
    if (!body) {
      if (newRows.querySelector('tbody')) place.replaceChildren(...newRows.children);
      return;
    }
    const shown = new Set([...body.rows].map((row) => row.dataset['at']));
    const most = Math.max(body.rows.length, newRows.querySelectorAll('tbody tr').length);
    const fresh = /** @type {HTMLTableRowElement[]} */ ([...newRows.querySelectorAll('tbody tr')]).filter(
      (row) => !shown.has(row.dataset['at']),
    );
    if (fresh.length === 0) return;
    for (const row of body.querySelectorAll('tr.fresh')) row.classList.remove('fresh');
    for (const row of fresh) row.classList.add('fresh');
    // More came than an answer holds: what lies between is not known, so the old rows go.
    if (fresh.length === most)
      for (const row of [...body.rows]) if (!row.contains(document.activeElement)) row.remove();
    body.prepend(...fresh);
    for (const row of [...body.rows].slice(most)) if (!row.contains(document.activeElement)) row.remove();
    announce(fresh.length);
  }

  /** @param {number} count */
  function announce(count) {
    unheard += count;
    if (performance.now() - heardAt < ANNOUNCE_MS) return;
    status.textContent = unheard === 1 ? '1 new transaction.' : `${unheard} new transactions.`;
    heardAt = performance.now();
    unheard = 0;
  }
}

function showLag() {
  const place = document.querySelector('[data-lag-of]');
  if (!place) return;
  const seconds = Math.floor(Date.now() / 1000 - Number(place.getAttribute('data-lag-of')));
  place.textContent =
    seconds < 0 ? 'ahead of your clock' : seconds < 2 ? 'just now' : `${inWords(seconds)} ago`;
}

/** @param {number} seconds */
function inWords(seconds) {
  /** @type {[number, string][]} */
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  const first = units.findIndex(([size]) => seconds >= size);
  let rest = seconds;
  return units
    .slice(first, first + 2)
    .map(([size, name]) => {
      const count = Math.floor(rest / size);
      rest %= size;
      return count === 0 ? '' : `${count} ${name}`;
    })
    .filter((text) => text !== '')
    .join(' ');
}
