import { TextOfJson } from '../../http/answers/json-pieces.ts';
import { checksumAddress } from '../address.ts';
import type { StoredContract } from '../contracts/contract-repository.sql.ts';
import { viewSettings } from '../contracts/contract-view.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { ProxyResolution } from '../proxy/proxy-resolver.ts';
import { TEXTS } from './etherscan-call.ts';

const NOTHING = {
  SourceCode: '' as string | TextOfJson,
  ABI: TEXTS.notVerified as string,
  ContractName: '',
  CompilerVersion: '',
  CompilerType: '',
  OptimizationUsed: '',
  Runs: '',
  ConstructorArguments: '',
  EVMVersion: 'Default',
  Library: '',
  ContractFileName: '',
  LicenseType: 'Unknown',
  Proxy: '0',
  Implementation: '',
  SwarmSource: '',
  SimilarMatch: '',
};

/** What `getsourcecode` shows of a contract. */
type SourceCodeView = typeof NOTHING;

/** Shows a verified contract; all members are printed as texts. @param contract null for one that is not verified. */
export function viewSourceCode(
  contract: StoredContract | null,
  proxy: ProxyResolution | null,
): SourceCodeView {
  if (contract === null) return NOTHING;
  const { compilation, sources, inputMembers, artifacts, creation, runtime } = contract;
  const { language, compilerVersion, settings, name, fullyQualifiedName } = compilation;
  const input = { language, sources, settings: viewSettings(settings), ...inputMembers };
  const optimizer = isJsonObject(settings['optimizer']) ? settings['optimizer'] : {};
  const implementation =
    proxy !== null && 'isProxy' in proxy && proxy.isProxy ? (proxy.implementations[0]?.address ?? '') : '';
  return {
    ...NOTHING,
    // Standard JSON is told from a single file by a second pair of braces.
    SourceCode: new TextOfJson(input, { before: '{', after: '}' }),
    ABI: artifacts.text('abi') ?? '[]',
    ContractName: name,
    ContractFileName: fullyQualifiedName.slice(0, -(name.length + 1)),
    CompilerVersion:
      language === 'Vyper' ? `vyper:${compilerVersion.split('+', 1)[0]}` : `v${compilerVersion}`,
    CompilerType: compilation.compiler,
    OptimizationUsed: optimizer['enabled'] === true ? '1' : '0',
    Runs: String(optimizer['runs'] ?? 200),
    ConstructorArguments: (creation.values?.constructorArguments ?? '0x').slice(2),
    EVMVersion: String(settings['evmVersion'] ?? 'Default'),
    Library: printLibraries(runtime.values?.libraries ?? creation.values?.libraries ?? {}),
    Proxy: implementation === '' ? '0' : '1',
    Implementation: implementation,
  };
}

/** `Lib:0x…;Other:0x…` */
function printLibraries(libraries: JsonObject | Readonly<Record<string, string>>): string {
  return Object.entries(libraries)
    .map(([place, address]) => {
      const name = place.slice(place.lastIndexOf(':') + 1);
      return `${name}:${checksumAddress(`0x${String(address).replace(/^0x/, '')}`)}`;
    })
    .join(';');
}
