/** The globs of the workload as regular expressions, for peers that have no paths of their own. */

const special = /[\\^$.*+?()[\]{}|/]/gu;

/** A text that stands for itself in a regular expression. */
export function literally(text: string): string {
  return text.replace(special, String.raw`\$&`);
}

/** Anchored. `**` means one segment or more at the end and none or more inside; `*` one segment, or any characters within one. */
export function globExpression(glob: string): string {
  const segments = glob.split('/').slice(1);
  const parts = segments.map((segment, i) => {
    if (segment !== '**') return `/${segment === '*' ? '[^/]+' : starsWithin(segment)}`;
    return i === segments.length - 1 ? '(?:/[^/]+)+' : '(?:/[^/]+)*';
  });
  return `^${parts.join('')}$`;
}

function starsWithin(segment: string): string {
  return segment.split('*').map(literally).join('[^/]*');
}
