import { selectOutput } from '../../src/verify/compile/solidity/solidity-compiler.ts';
import type { StandardJson } from '../../src/verify/standard-json.ts';
import { openZeppelinSources } from '../kit/verify/compile-for-test.ts';

/** How much work the compiler has with a contract. */
export type ContractSize = 'small' | 'medium' | 'heavy';

/** A submission as the API takes it. */
export interface BenchSubmission {
  readonly stdJsonInput: StandardJson;
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
}

const OPENZEPPELIN = '@openzeppelin/contracts';
const OPTIMIZER = { enabled: true, runs: 200 };

/**
 * A contract of the given size; each index gives other code, so that no output is known from before.
 *
 * `small` is one short file, `medium` an ERC-20 with votes and permit, `heavy` a governor with timelock through
 * the IR pipeline.
 */
export function aSubmission(size: ContractSize, index: number): BenchSubmission {
  const name = `${NAMES[size]}${index}`;
  const path = `contracts/${name}.sol`;
  const content = `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.30;\n${SOURCES[size](name, index)}`;
  const imported = [...content.matchAll(/from "(@openzeppelin[^"]+)"/g)].map(([, file = '']) => file);
  const libraries = Object.assign({}, ...imported.map(openZeppelinSources)) as StandardJson['sources'];
  return {
    stdJsonInput: {
      language: 'Solidity',
      sources: { [path]: { content }, ...libraries },
      settings: { optimizer: OPTIMIZER, ...(size === 'heavy' ? { viaIR: true } : {}) },
    },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: `${path}:${name}`,
  };
}

/** The text that the product gives the compiler for this submission: a bare run of it is the fair ceiling. */
export function compilerInput({ stdJsonInput, contractIdentifier }: BenchSubmission): string {
  const [path = '', name = ''] = contractIdentifier.split(':');
  return JSON.stringify(selectOutput(stdJsonInput, { path, name }, 'target'));
}

const NAMES: Readonly<Record<ContractSize, string>> = { small: 'Counter', medium: 'Token', heavy: 'Council' };

const SOURCES: Readonly<Record<ContractSize, (name: string, index: number) => string>> = {
  small: (name, index) => `
contract ${name} {
    mapping(address => uint256) public counts;
    event Counted(address indexed who, uint256 total);
    function add(uint256 times) external {
        for (uint256 i = 0; i < times; i++) counts[msg.sender] += ${index + 1};
        emit Counted(msg.sender, counts[msg.sender]);
    }
}
`,
  medium: (name, index) => `
import {ERC20} from "${OPENZEPPELIN}/token/ERC20/ERC20.sol";
import {ERC20Permit} from "${OPENZEPPELIN}/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "${OPENZEPPELIN}/token/ERC20/extensions/ERC20Votes.sol";
import {Nonces} from "${OPENZEPPELIN}/utils/Nonces.sol";

contract ${name} is ERC20, ERC20Permit, ERC20Votes {
    uint256 public constant SERIES = ${index};

    constructor() ERC20("${name}", "T") ERC20Permit("${name}") {}

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }

    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}
`,
  heavy: (name, index) => `
import {Governor} from "${OPENZEPPELIN}/governance/Governor.sol";
import {GovernorCountingSimple} from "${OPENZEPPELIN}/governance/extensions/GovernorCountingSimple.sol";
import {GovernorTimelockControl} from "${OPENZEPPELIN}/governance/extensions/GovernorTimelockControl.sol";
import {GovernorVotes} from "${OPENZEPPELIN}/governance/extensions/GovernorVotes.sol";
import {IVotes} from "${OPENZEPPELIN}/governance/utils/IVotes.sol";
import {TimelockController} from "${OPENZEPPELIN}/governance/TimelockController.sol";

contract ${name} is Governor, GovernorCountingSimple, GovernorVotes, GovernorTimelockControl {
    uint256 public constant SERIES = ${index};

    constructor(IVotes token, TimelockController timelock)
        Governor("${name}") GovernorVotes(token) GovernorTimelockControl(timelock) {}

    function votingDelay() public pure override returns (uint256) { return 7200; }
    function votingPeriod() public pure override returns (uint256) { return 50400; }
    function quorum(uint256) public pure override returns (uint256) { return 1e18; }

    function state(uint256 id) public view override(Governor, GovernorTimelockControl) returns (ProposalState) {
        return super.state(id);
    }
    function proposalNeedsQueuing(uint256 id)
        public view override(Governor, GovernorTimelockControl) returns (bool)
    {
        return super.proposalNeedsQueuing(id);
    }
    function _queueOperations(
        uint256 id, address[] memory targets, uint256[] memory values, bytes[] memory calls, bytes32 description
    ) internal override(Governor, GovernorTimelockControl) returns (uint48) {
        return super._queueOperations(id, targets, values, calls, description);
    }
    function _executeOperations(
        uint256 id, address[] memory targets, uint256[] memory values, bytes[] memory calls, bytes32 description
    ) internal override(Governor, GovernorTimelockControl) {
        super._executeOperations(id, targets, values, calls, description);
    }
    function _cancel(
        address[] memory targets, uint256[] memory values, bytes[] memory calls, bytes32 description
    ) internal override(Governor, GovernorTimelockControl) returns (uint256) {
        return super._cancel(targets, values, calls, description);
    }
    function _executor() internal view override(Governor, GovernorTimelockControl) returns (address) {
        return super._executor();
    }
}
`,
};
