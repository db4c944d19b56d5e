/**
 * Opens and migrates a database as soon as its standard input ends, for tests that start several at once.
 *
 * Run: node --import tsx migrating-process.ts FILE
 */
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../../src/storage/open-database.ts';

const [file = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
readFileSync(0);
const database = openDatabase(file);
process.stdout.write(`version ${database.pragma('user_version', { simple: true })}\n`);
database.close();
