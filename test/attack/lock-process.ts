// Holds the write lock of a database, as another program may, until its input ends; the argument is the file.
import { once } from 'node:events';
import { openDatabase } from '../../src/storage/open-database.ts';

const [path = ''] = process.argv.slice(2);
const database = openDatabase(path);
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
await once(process.stdin.resume(), 'end');
database.exec('ROLLBACK');
process.stdout.write('released\n');
database.exec('VACUUM');
process.stdout.write('vacuumed\n');
database.close();
