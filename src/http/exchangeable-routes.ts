import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** Routes whose functions can be replaced while their application serves them. */
interface ExchangeableRoutes<Options extends object> {
  /** To be registered once. */
  readonly plugin: FastifyPluginAsync<Options>;
  /**
   * Makes all requests from now on go to other routes, which must be those of the same configuration: the same calls in
   * the same order.
   *
   * @throws Error when they are not; nothing is replaced then.
   */
  exchange(routes: FastifyPluginAsync<Options>): Promise<void>;
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;
type Plugin = (app: FastifyInstance, options: object) => unknown;

/** The functions that one plugin has registered, in order, and those of the plugins in it. */
class Scope {
  readonly functions: Callable[] = [];
  readonly inner: Scope[] = [];

  /** Stands for a function: calls the one that is at its place when it is called. */
  standIn(given: Callable): Callable {
    const index = this.functions.push(given) - 1;
    const { functions } = this;
    const standIn = function (this: unknown, ...args: unknown[]): unknown {
      return functions[index]?.apply(this, args);
    };
    // The framework tells hooks with a callback from others by it.
    return Object.defineProperty(standIn, 'length', { value: given.length });
  }

  addInner(): Scope {
    const scope = new Scope();
    this.inner.push(scope);
    return scope;
  }

  hasShapeOf({ functions, inner }: Scope): boolean {
    return (
      this.functions.length === functions.length &&
      this.inner.length === inner.length &&
      this.inner.every((each, index) => each.hasShapeOf(inner[index] as Scope))
    );
  }

  take({ functions, inner }: Scope): void {
    this.functions.splice(0, this.functions.length, ...functions);
    for (const [index, each] of this.inner.entries()) each.take(inner[index] as Scope);
  }
}

/** What would change the application that serves while new routes are only collected. */
const CHANGING = /^(?:add|set|remove|decorate|all$|options$|trace$|search$|after$|ready$|listen$|close$)/;
/** What registers functions; everything else of an instance is only read. */
const REGISTERING: ReadonlySet<string | symbol> = new Set([
  ...['get', 'head', 'post', 'put', 'patch', 'delete', 'route'],
  ...['addHook', 'addContentTypeParser', 'removeAllContentTypeParsers', 'setErrorHandler'],
  ...['setValidatorCompiler', 'setSerializerCompiler'],
]);

/**
 * Lets a kept application serve the routes of parts that were made anew: the router and the compiled schemas, most of
 * the cost of an application, stay.
 *
 * @param first the routes that `plugin` registers.
 */
export function createExchangeableRoutes<Options extends object>(
  first: FastifyPluginAsync<Options>,
): ExchangeableRoutes<Options> {
  const scope = new Scope();
  let given: { readonly app: FastifyInstance; readonly options: Options } | null = null;
  let routes: FastifyPluginAsync<Options> | null = first;
  return {
    async plugin(app, options) {
      given = { app, options };
      const plugin = routes as unknown as Plugin;
      // Once they are replaced nothing shall keep what the first ones were made of.
      routes = null;
      await plugin(recorder(scope, app), options);
    },
    async exchange(next) {
      if (given === null) throw new Error('The routes were not registered');
      const fresh = new Scope();
      const pending: unknown[] = [];
      await (next as unknown as Plugin)(rehearsal(fresh, given.app, pending), given.options);
      await Promise.all(pending);
      if (!scope.hasShapeOf(fresh)) throw new Error('The routes are not those of the same configuration');
      scope.take(fresh);
    },
  };
}

/** Registers stand-ins on a real instance. */
function recorder(scope: Scope, app: FastifyInstance): FastifyInstance {
  return instanceLike(scope, app, {
    call: (method, args) => Reflect.apply(method, app, args),
    register: (plugin, options = {}) => {
      const inner = scope.addInner();
      const recorded: FastifyPluginAsync = async (instance, given) => {
        await plugin(recorder(inner, instance), given);
      };
      return app.register(recorded, options);
    },
  });
}

/** Registers nothing: only collects the functions. */
function rehearsal(scope: Scope, app: FastifyInstance, pending: unknown[]): FastifyInstance {
  return instanceLike(scope, app, {
    call: () => undefined,
    register: (plugin, options = {}) => {
      const done = plugin(rehearsal(scope.addInner(), app, pending), options);
      pending.push(done);
      return done;
    },
  });
}

interface Effects {
  call(method: Callable, args: readonly unknown[]): unknown;
  register(plugin: Plugin, options?: object): unknown;
}

function instanceLike(scope: Scope, app: FastifyInstance, { call, register }: Effects): FastifyInstance {
  const instance: FastifyInstance = new Proxy(app, {
    get(_, name) {
      if (name === 'register') return register;
      if (name === 'withTypeProvider') return () => instance;
      const member: unknown = Reflect.get(app, name);
      if (!REGISTERING.has(name)) {
        if (CHANGING.test(String(name))) throw new Error(`${String(name)}: such routes cannot be exchanged`);
        return member;
      }
      return (...args: unknown[]) => {
        call(
          member as Callable,
          args.map((arg) => withStandIns(arg, scope)),
        );
        return instance;
      };
    },
  });
  return instance;
}

/** A function, a list of them or the options of a route; schemas hold none. */
function withStandIns(given: unknown, scope: Scope): unknown {
  if (typeof given === 'function') return scope.standIn(given as Callable);
  if (Array.isArray(given)) return given.map((each) => withStandIns(each, scope));
  if (Object.getPrototypeOf(given ?? '') !== Object.prototype) return given;
  const members = Object.entries(given as object);
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'schema' ? value : withStandIns(value, scope)]),
  );
}
