// Parts of a page that have to ask a chain are pages of their own; here their content takes the place of the link.
for (const place of document.querySelectorAll('[data-later]')) {
  const address = place.getAttribute('data-later') ?? '';
  place.setAttribute('aria-busy', 'true');
  fetch(address, { headers: { accept: 'text/html' } })
    .then(async (answer) => {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const part = page.querySelector('[data-part]');
      if (part !== null) place.replaceChildren(...part.childNodes);
    })
    // The link that leads to the page stays.
    .catch(() => undefined)
    .finally(() => place.removeAttribute('aria-busy'));
}
