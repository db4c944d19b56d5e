/** Texts that would run `ran()`, load something or break out of their place where a renderer lets them. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>ran()</script>',
  '</title></head><body><script>ran()</script>',
  '"><img src=x onerror=ran()>',
  "'><svg onload=ran()>",
  '<a href="javascript:ran()">a</a>',
  '<a href="&#106;avascript:ran()" onclick="ran()">b</a>',
  '[c](javascript:ran()) [d](java\nscript:ran()) [e](data:text/html,<script>ran()</script>)',
  '<p onmouseover="ran()" style="position:fixed;inset:0">f</p>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '--><!--<script>ran()</script>',
  ']]><script>ran()</script>',
  '&lt;script&gt;ran()&lt;/script&gt; &amp;lt;',
  '`<script>ran()</script>`',
  '[g](https://example.org/" onfocus="ran()" autofocus=")',
  '<style>*{display:none}</style><link rel=stylesheet href=https://example.org/x.css>',
  '<meta http-equiv=refresh content="0;url=https://example.org/">',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what template engines would fill in
  '\u202Eevil\u202C \u0007 \u2028 {{7*7}} ${7*7}',
];
