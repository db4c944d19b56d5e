/**
 * Lets statements take effect at their time among the transactions.
 *
 * @returns called with the time of each transaction: tells the statements that are left from before it; null for all
 */
export function dueStatements<Statement extends { readonly timestamp: bigint }>(
  statements: readonly Statement[],
  tell: (statement: Statement) => void,
): (before: bigint | null) => void {
  const sorted = [...statements].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  let next = 0;
  return (before) => {
    for (let due = sorted[next]; due !== undefined; due = sorted[++next]) {
      if (before !== null && due.timestamp >= before) return;
      tell(due);
    }
  };
}
