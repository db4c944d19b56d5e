import type { StatusAction } from './status.ts';
import { readId, readMembers, readNoun } from './status-noun.ts';

/** `status create NOUN member=value…`: prints the new thing; of a subscriber only now with its secret. */
export const createThing: StatusAction = async (service, [word, ...words]) => {
  const members = readMembers(words);
  switch (readNoun(word, ['component', 'group', 'incident', 'subscriber'])) {
    case 'component':
      return print(await service.createComponent(members));
    case 'group':
      return print(await service.createGroup(members));
    case 'subscriber':
      return print(await service.createSubscriber(members));
    default:
      return print(await service.createIncident(members));
  }
};

/** `status update NOUN [ID] member=value…`: prints the thing as it is now; an update needs its incident before it. */
export const updateThing: StatusAction = async (service, [word, ...words]) => {
  const noun = readNoun(word, ['page', 'component', 'group', 'incident', 'update']);
  if (noun === 'page') return print(await service.updatePage(readMembers(words)));
  const id = readId(words[0], noun === 'update' ? 'incident' : noun);
  switch (noun) {
    case 'component':
      return print(await service.updateComponent(id, readMembers(words.slice(1))));
    case 'group':
      return print(await service.updateGroup(id, readMembers(words.slice(1))));
    case 'incident':
      return print(await service.updateIncident(id, readMembers(words.slice(1))));
    case 'update': {
      const updateId = readId(words[1], 'update');
      return print(await service.editIncidentUpdate(id, updateId, readMembers(words.slice(2))));
    }
  }
};

/** `status delete NOUN ID`: prints what is gone. */
export const deleteThing: StatusAction = async (service, [word, ...words]) => {
  const noun = readNoun(word, ['component', 'group', 'incident', 'subscriber']);
  const id = readId(words[0], noun);
  switch (noun) {
    case 'component':
      await service.deleteComponent(id);
      return `Component ${id} is deleted.`;
    case 'group':
      return print(await service.deleteGroup(id));
    case 'subscriber':
      return print(await service.deleteSubscriber(id));
    default:
      return print(await service.deleteIncident(id));
  }
};

function print(thing: unknown): string {
  return JSON.stringify(thing, null, 2);
}
