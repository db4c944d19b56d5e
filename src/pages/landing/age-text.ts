const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago something was, in its largest unit: `3 minutes ago`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [name, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  if (count < 1) return 'just now';
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
