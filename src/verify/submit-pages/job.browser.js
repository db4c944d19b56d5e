// Shows the stage of a job while it runs, and its end when it has come. Without scripts the page reloads itself.
const shown = document.querySelector('[data-job]');
const stages = document.querySelector('.steps');
const place = document.querySelector('#place');

/** @param {{stage?: string, queuePosition?: number}} job */
function show({ stage = 'queued', queuePosition }) {
  for (const step of stages?.children ?? []) {
    if (step.getAttribute('data-stage') === stage) step.setAttribute('aria-current', 'step');
    else step.removeAttribute('aria-current');
  }
  if (place === null) return;
  const ahead = queuePosition === undefined ? 0 : queuePosition - 1;
  const text =
    queuePosition === undefined
      ? ''
      : `Waiting; ${ahead === 0 ? 'next in the queue' : `${ahead} ahead in the queue`}.`;
  // A reader of the screen hears of changes only.
  if (place.textContent !== text) place.textContent = text;
}

async function follow() {
  const url = shown?.getAttribute('data-job');
  for (let failures = 0; url && failures < 20; ) {
    try {
      const answer = await fetch(`${url}?wait=2`, { headers: { accept: 'application/json' } });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const job = await answer.json();
      failures = 0;
      if (job.isJobCompleted) return location.reload();
      show(job);
    } catch {
      // The server restarts, or the line is down: the job goes on without us.
      failures += 1;
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
}

void follow();
