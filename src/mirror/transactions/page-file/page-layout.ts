/** How many rows lie together in a page file. Files of another layout are not read. */
export interface PageLayout {
  readonly rowsPerBlock: number;
  readonly blocksPerSegment: number;
}

/** 64 rows have about 58 kB: a page of 25 lies in one block or two. 4096 blocks make a file of about 240 MB. */
export const PAGE_LAYOUT: PageLayout = { rowsPerBlock: 64, blocksPerSegment: 4096 };
