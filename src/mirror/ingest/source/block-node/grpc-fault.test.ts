import { describe, expect, test } from 'vitest';
import { grpcFault } from './grpc-connection.ts';

const UNAVAILABLE = 14;
/** As @grpc/grpc-js writes it. */
const unconnected = (error: string) =>
  `No connection established. Last error: Error: ${error}. Resolution note: `;

describe('grpcFault', () => {
  test.each([
    [
      unconnected('connect ECONNREFUSED 127.0.0.1:1'),
      'cannot be reached: nothing is listening there: check host and port, and whether the node is running (connect ECONNREFUSED 127.0.0.1:1)',
    ],
    ['No connection established. Last error: Protocol error. Resolution note: ', /does not speak gRPC/],
    [
      unconnected('8016:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../x.c:350: '),
      /omit https:\/\//,
    ],
    [
      'Name resolution failed for target dns:nosuch.invalid:40840',
      /the host name cannot be resolved: .*nosuch\.invalid:40840\)$/,
    ],
    ['another thing', 'cannot be reached: another thing'],
  ])('%s', (details, wanted) => {
    expect(() => {
      throw grpcFault({ code: UNAVAILABLE, details, message: 'm' });
    }).toThrow(wanted);
  });

  test('tells a node that refuses from one that is not there', () => {
    expect(grpcFault({ code: 7, details: 'Protocol error of its own', message: 'm' })).toMatchObject({
      fault: 'refused',
      message: 'does not permit it: Protocol error of its own',
    });
    expect(grpcFault({ code: UNAVAILABLE, details: '', message: '14 UNAVAILABLE' })).toMatchObject({
      fault: 'unreachable',
      message: 'cannot be reached: 14 UNAVAILABLE',
    });
  });
});
