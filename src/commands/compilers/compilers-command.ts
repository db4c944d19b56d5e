import { type Command, JSON_OPTION } from '../command.ts';

/** `ledgerlens compilers …` */
export const COMPILERS_COMMAND: Command = {
  name: 'compilers',
  summary: 'list, fetch, add and check the compilers that verifications can use',
  defaultAction: 'list',
  load: () => import('./compilers.ts'),
  actions: [
    {
      name: 'list',
      summary: 'list the available compilers and where they come from',
      options: [
        { flag: 'available', summary: 'include what the release list and the npm registry offer' },
        JSON_OPTION,
      ],
    },
    {
      name: 'fetch',
      summary: 'download, check and store Solidity compilers',
      arguments: [{ name: 'version', summary: 'such as 0.8.20', isRequired: true, isList: true }],
      options: [
        {
          flag: 'from',
          value: 'place',
          words: ['list', 'registry'],
          summary: 'only from the release list, or from the npm registry as npm is configured',
        },
        {
          flag: 'kind',
          value: 'kind',
          words: ['wasm', 'native'],
          summary: 'wasm (default), or native: an executable of this platform',
        },
        { flag: 'language', value: 'name', words: ['solc', 'vyper', 'fe'], summary: 'solc (default)' },
      ],
    },
    {
      name: 'add',
      summary: 'store a compiler from a file, such as a vyper executable',
      arguments: [{ name: 'file', summary: 'the compiler', isRequired: true, isList: true }],
      options: [
        {
          flag: 'language',
          value: 'name',
          words: ['solc', 'vyper', 'fe'],
          summary: 'if the file name does not show it',
        },
        { flag: 'version', value: 'text', summary: 'full version, if the file name does not show it' },
        { flag: 'sha256', value: 'hex', summary: 'expected checksum, as published with the file' },
      ],
    },
    {
      name: 'check',
      summary:
        'check the bytes of every compiler, start it and read its version; exit code 1 if any check fails',
      options: [JSON_OPTION],
    },
  ],
};
