import protobuf from 'protobufjs';

/** A decoded message; which member of a oneof is set lies under a symbol. */
type Message = Record<string | symbol, unknown>;

/**
 * Makes the classes of a descriptor's messages, which remember the member of a oneof that is set.
 *
 * Those of the library find it by the keys of the message at every look, and delete all other members when one is
 * decoded: seventy for a transaction.
 */
export function makeMessageClasses(root: protobuf.NamespaceBase): void {
  const { util } = protobuf;
  const { oneOfGetter, oneOfSetter } = util;
  const symbols = new Map<readonly string[], symbol>();
  util.oneOfGetter = (members) => {
    const find = oneOfGetter(members);
    const current = Symbol('current');
    symbols.set(members, current);
    // Messages that were made and not decoded never pass the setter.
    return function (this: Message) {
      return (this[current] ?? find.call(this)) as string | undefined;
    };
  };
  util.oneOfSetter = (members) => {
    const current = symbols.get(members) ?? Symbol('current');
    return function (this: Message, member: string | undefined) {
      const before = this[current];
      if (before === member) return;
      if (typeof before === 'string') delete this[before];
      this[current] = member;
    };
  };
  // A class is made when it is asked for, and never again.
  for (const type of typesOf(root)) void type.ctor;
  Object.assign(util, { oneOfGetter, oneOfSetter });
}

function typesOf(namespace: protobuf.NamespaceBase): readonly protobuf.Type[] {
  return namespace.nestedArray.flatMap((each) => {
    const inside = each instanceof protobuf.Namespace ? typesOf(each) : [];
    return each instanceof protobuf.Type ? [each, ...inside] : inside;
  });
}
