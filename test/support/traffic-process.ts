import autocannon from 'autocannon';

/** Of each URL; the four that the test reads make the 2,000 of the contract. @see contracts/status.md section 2, Cost */
const REQUESTS_PER_SECOND = 500;
const CONNECTIONS = 4;

/** Traffic from a process of its own until it is killed; each second a line of JSON says what came. */
const urls = process.argv.slice(2);
for (;;) {
  const results = await Promise.all(
    urls.map((url) =>
      autocannon({ url, connections: CONNECTIONS, duration: 1, overallRate: REQUESTS_PER_SECOND }),
    ),
  );
  const sum = (of: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const answers = sum(({ requests }) => requests.total);
  const failures = sum((result) => result.errors + result.requests.total - result['2xx']);
  console.log(JSON.stringify({ answers, failures }));
}
