// Holds the write lock of a database, as another program may, until its input ends; the argument is the file.
import { once } from 'node:events';
import { holdWriteLock, vacuum } from '../support/sqlite-file.ts';

const [path = ''] = process.argv.slice(2);
const release = holdWriteLock(path);
process.stdout.write('locked\n');
await once(process.stdin.resume(), 'end');
release();
process.stdout.write('released\n');
vacuum(path);
process.stdout.write('vacuumed\n');
