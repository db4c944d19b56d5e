// The top bar's logo leads home, and has a name for those who do not see it; the library draws it late, and without either.
const observer = new MutationObserver(() => {
  const link = document.querySelector('#swagger-ui .topbar a.link');
  const image = link?.querySelector('img');
  if (!(link instanceof HTMLAnchorElement) || !image) return;
  observer.disconnect();
  // The page stands at /docs, with or without a slash, below whatever path leads to the server.
  const home = location.pathname.replace(/docs(?:\/(?:static\/index\.html)?)?$/, '');
  link.href = home;
  // What draws the bar puts its own address back.
  link.addEventListener('click', (event) => {
    event.preventDefault();
    location.assign(home);
  });
  image.alt = 'Ledgerlens, to the first page';
});
observer.observe(document.body, { childList: true, subtree: true });
