// `npm run prepack`, first half: what was renamed or deleted in `src` stays in `dist` and would be packed.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
