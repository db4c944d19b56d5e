// The decoder of RLP. A module of its own, since tests load it from the build, which bundles the package: scripts/bundle.ts.
export { toBytes as decodeRlp } from 'ox/Rlp';
