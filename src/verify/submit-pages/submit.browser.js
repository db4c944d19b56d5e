// Improves the form of verifications: dropped files, contracts and version of a build-info at once, progress of the
// upload. The form works without it.

/** Larger outputs are cut off before the upload: the server compiles again. Bytes. */
const CUT_FROM = 1_000_000;

/** @type {{file: File, small: Blob} | null} */
let chosen = null;

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id));

/** @param {string} text */
function tell(text) {
  const progress = document.getElementById('progress');
  if (progress) progress.textContent = text;
}

/**
 * Puts a list in the place of the field for the contract.
 * @param {readonly string[]} contracts
 */
function listContracts(contracts) {
  const field = input('contract');
  if (field === null) return;
  if (contracts.length === 0) return;
  const list = document.createElement('select');
  for (const attribute of ['id', 'name', 'aria-describedby']) {
    const value = field.getAttribute(attribute);
    if (value !== null) list.setAttribute(attribute, value);
  }
  if (contracts.length > 1) list.add(new Option('Choose…', ''));
  for (const contract of contracts) list.add(new Option(contract, contract));
  list.value = contracts.includes(field.value) ? field.value : (list.options[0]?.value ?? '');
  field.replaceWith(list);
}

/** @param {any} output */
function contractsWithCode(output) {
  return Object.entries(output?.contracts ?? {}).flatMap(([path, contracts]) =>
    Object.entries(contracts ?? {})
      .filter(([, contract]) => (contract?.evm?.bytecode?.object ?? '0x').length > 2)
      .map(([name]) => `${path}:${name}`),
  );
}

/** The contracts that texts define, roughly: the server looks closely. @param {any} given */
function contractsInTexts(given) {
  return Object.entries(given?.sources ?? {}).flatMap(([path, source]) => {
    if (path.endsWith('.vy')) return [`${path}:${path.replace(/^.*\/|\.vy$/g, '')}`];
    const text = String(source?.content ?? '').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
    return [...text.matchAll(/(?:^|[\s;{}])(abstract\s+)?(?:contract|library)\s+([A-Za-z_$][\w$]*)/g)]
      .filter(([, abstract]) => abstract === undefined)
      .map(([, , name]) => `${path}:${name}`);
  });
}

/** @param {string} contract */
const isForeign = (contract) => /^(?:@|npm\/|lib\/|node_modules\/)/.test(contract);

/** @param {string} text @param {File | null} file */
function look(text, file) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    tell('Not valid JSON yet.');
    return;
  }
  const given = value?.input?.sources ? value.input : value;
  if (!given?.sources) {
    tell('No compiler input found; submit to see details.');
    return;
  }
  const version = value.solcLongVersion ?? value.solcVersion;
  const field = input('compilerVersion');
  if (field !== null && typeof version === 'string') field.value = version;
  const compiled = contractsWithCode(value.output);
  const contracts = compiled.length > 0 ? compiled : contractsInTexts(given);
  listContracts([...contracts].sort((left, right) => Number(isForeign(left)) - Number(isForeign(right))));
  const named = typeof version === 'string' ? `, compiler ${version}` : '';
  const counted = (/** @type {number} */ count, /** @type {string} */ noun) =>
    `${count} ${noun}${count === 1 ? '' : 's'}`;
  tell(
    `${counted(Object.keys(given.sources).length, 'source')}, ${counted(contracts.length, 'contract')}${named}.`,
  );
  if (file !== null && file.size > CUT_FROM && value.output !== undefined) {
    const { output: _, ...rest } = value;
    chosen = { file, small: new Blob([JSON.stringify(rest)], { type: 'application/json' }) };
  }
}

/** @param {Element} zone */
function takeDrops(zone) {
  const target = input(zone.getAttribute('data-drop') ?? '');
  if (target === null) return;
  const over = (/** @type {Event} */ event) => {
    event.preventDefault();
    zone.classList.add('dropping');
  };
  zone.addEventListener('dragenter', over);
  zone.addEventListener('dragover', over);
  zone.addEventListener('dragleave', () => zone.classList.remove('dropping'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('dropping');
    const files = /** @type {DragEvent} */ (event).dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    target.files = files;
    target.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** @param {HTMLFormElement} form */
function send(form) {
  const data = new FormData(form);
  const file = data.get('standardJsonFile');
  if (
    chosen !== null &&
    file instanceof File &&
    file.name === chosen.file.name &&
    file.size === chosen.file.size
  )
    data.set('standardJsonFile', chosen.small, file.name);
  const request = new XMLHttpRequest();
  const button = form.querySelector('button');
  const end = (/** @type {string} */ text) => {
    tell(text);
    if (button) button.disabled = false;
  };
  if (button) button.disabled = true;
  tell('Sending…');
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    tell(loaded < total ? `Sending: ${Math.round((100 * loaded) / total)} %` : 'Sent; processing…');
  });
  request.addEventListener('error', () => end('No response from the server. Try again.'));
  request.addEventListener('load', () => {
    if (/\/jobs\/[0-9a-f-]{36}$/.test(request.responseURL)) {
      location.assign(request.responseURL);
      return;
    }
    const page = new DOMParser().parseFromString(request.responseText, 'text/html');
    const main = page.querySelector('main');
    if (main === null) {
      end(`The server responded with status ${request.status}. Try again.`);
      return;
    }
    document.title = page.title;
    document.querySelector('main')?.replaceWith(main);
    start();
    const first = /** @type {HTMLElement | null} */ (
      document.getElementById('faults') ?? document.querySelector('main')
    );
    first?.focus();
    scrollTo(0, 0);
  });
  request.open('POST', form.action);
  request.setRequestHeader('accept', 'text/html');
  request.send(data);
}

function start() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById('submit'));
  if (form === null) return;
  for (const zone of form.querySelectorAll('[data-drop]')) takeDrops(zone);
  const file = input('standardJsonFile');
  file?.addEventListener('change', async () => {
    chosen = null;
    const [first] = file.files ?? [];
    if (first !== undefined) look(await first.text(), first);
  });
  const text = input('standardJson');
  text?.addEventListener('input', () => {
    if (text.value.trim() !== '') look(text.value, null);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}

start();
