// The codec of ABI values. A module of its own, since the build puts the package into it: scripts/bundled-packages.ts.
export { decode, encode, type Parameter } from 'ox/AbiParameters';
