/** Texts that run `pwned = 1` if a text is used as markup, code or a property key. */
const SHAPES: readonly string[] = [
  '<img src=x onerror=pwned=1>',
  '"><img src=x onerror=pwned=1>',
  '<script>pwned=1</script>',
  '</script><script>pwned=1</script>',
  '<svg onload=pwned=1>',
  '<svg><script>pwned=1</script></svg>',
  '<iframe srcdoc="<script>parent.pwned=1</script>">',
  '<details open ontoggle=pwned=1>',
  '<input autofocus onfocus=pwned=1>',
  '<a href="javascript:pwned=1">x</a>',
  '<style>*{animation:x}</style><b onanimationstart=pwned=1>',
  '<template shadowrootmode=open><script>pwned=1</script></template>',
  '<availability-toggle item=x onclick=pwned=1></availability-toggle>',
  '--><script>pwned=1</script><!--',
  ']]><script>pwned=1</script>',
  '<?lit$0$><img src=x onerror=pwned=1>',
  '${pwned=1}',
  '`${pwned=1}`',
  '{{constructor.constructor("pwned=1")()}}',
  'javascript:pwned=1',
  'data:text/html,<script>pwned=1</script>',
  '");pwned=1;("',
  "'-(pwned=1)-'",
  '&lt;img src=x onerror=pwned=1&gt;',
  '%3Cimg%20src%3Dx%20onerror%3Dpwned%3D1%3E',
  '\u202e<img src=x onerror=pwned=1>\u202c',
  '\uff1cimg src=x onerror=pwned=1\uff1e',
  '\u2028pwned=1\u2029',
  '__proto__',
  'constructor',
];

/** @returns that many different texts; the unchanged shapes come first */
export function payloads(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const round = Math.floor(at / SHAPES.length);
    return (SHAPES[at % SHAPES.length] ?? '') + (round === 0 ? '' : `<b title=${String(round)}>`);
  });
}
