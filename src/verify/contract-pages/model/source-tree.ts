/** A folder of sources. */
export interface SourceFolder {
  /** Of a folder that holds nothing but one other, both: `@openzeppelin/contracts`. */
  readonly name: string;
  readonly folders: readonly SourceFolder[];
  readonly files: readonly { readonly name: string; readonly path: string }[];
}

interface OpenFolder {
  readonly folders: Map<string, OpenFolder>;
  readonly files: { readonly name: string; readonly path: string }[];
}

/** Deeper folders stay part of the names of their files. */
const MOST_DEPTH = 10;

/** Arranges paths as folders, each with its folders and files in the order of their names. */
export function sourceTree(paths: readonly string[]): SourceFolder {
  const root: OpenFolder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const parts = path.split('/');
    const folders = parts.slice(0, Math.min(parts.length - 1, MOST_DEPTH));
    let folder = root;
    for (const name of folders) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.files.push({ name: parts.slice(folders.length).join('/'), path });
  }
  return close('', root);
}

function close(name: string, { folders, files }: OpenFolder): SourceFolder {
  const [only, ...others] = folders;
  if (name !== '' && files.length === 0 && only !== undefined && others.length === 0) {
    return close(`${name}/${only[0]}`, only[1]);
  }
  return {
    name,
    folders: [...folders].map(([inner, folder]) => close(inner, folder)).toSorted(byName),
    files: files.toSorted(byName),
  };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
}
