// What is used of the SDK. A module of its own, since tests load it from the build, which bundles the package: scripts/bundle.ts.
export {
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
