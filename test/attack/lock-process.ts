// Holds the write lock of a database, as another program may: arguments are the file and milliseconds.
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/storage/database-url.ts';

const [path = '', milliseconds = ''] = process.argv.slice(2);
const database = openDatabase(`sqlite:${path}`);
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
await pause(Number(milliseconds));
database.exec('ROLLBACK');
process.stdout.write('released\n');
database.exec('VACUUM');
process.stdout.write('vacuumed\n');
database.close();
