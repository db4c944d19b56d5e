import type { CompileOutcome, CompileRequest } from '../compiler.ts';

/** Compiles a request whose name is known. @see compilation-key.ts */
export type KeyedCompile = (request: CompileRequest, key: string) => Promise<CompileOutcome>;
