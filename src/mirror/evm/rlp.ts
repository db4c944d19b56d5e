// The codec of RLP. A module of its own, since the build puts the package into it: scripts/bundled-packages.ts.
export { fromBytes as encodeRlp, toBytes as decodeRlp } from 'ox/Rlp';
