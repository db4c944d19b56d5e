import { FixtureFault, type FixtureObject, objects } from '../../items/fixture-members.ts';

/**
 * Refuses lists that an answer shows inside an object, and a fixture beside it, rather than losing them.
 *
 * @param kinds kind of line by member
 * @throws FixtureFault
 */
export function refuseLinesOfTheirOwn(row: FixtureObject, kinds: Readonly<Record<string, string>>): void {
  for (const [member, kind] of Object.entries(kinds)) {
    if (objects(row, member).length > 0) {
      throw new FixtureFault(`"${member}" must be empty: write each as a line of kind "${kind}"`);
    }
  }
}
