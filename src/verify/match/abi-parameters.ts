// The codec of ABI values. A module of its own, since tests load it from the build, which bundles the package: scripts/bundle.ts.
export { decode, type Parameter } from 'ox/AbiParameters';
