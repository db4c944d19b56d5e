// What is used of the SDK. A module of its own, since the build puts the package into it: scripts/bundled-packages.ts.
export {
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
