// Gives every command, `pre[data-copy]`, a button that copies it; without scripts it is selected by hand.
for (const block of document.querySelectorAll('pre[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // Over plain HTTP browsers give no clipboard: the text is at least selected.
      getSelection()?.selectAllChildren(block);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.after(button);
}
