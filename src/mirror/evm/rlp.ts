// The codec of RLP. A module of its own, since tests load it from the build, which bundles the package: scripts/bundle.ts.
export { fromBytes as encodeRlp, toBytes as decodeRlp } from 'ox/Rlp';
