/** Rules of the ledger pages beyond those of the site. */
export const LEDGER_CSS = `.tabs { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; align-items: end; margin-bottom: 24px; padding-bottom: 16px; border-bottom: 1px solid var(--line); }
.tabs .links a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
form.search { display: flex; flex-wrap: wrap; gap: 8px; flex: 1 1 18rem; max-width: 30rem; }
form.search input { flex: 1 1 12rem; min-width: 0; }
form.filter { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); align-items: end; }
label :is(input, select, textarea) { font-weight: 400; }
form.filter > *, form.filter :is(input, select) { min-width: 0; width: 100%; }
form.filter label, form.fees label { font-size: .875rem; }
form.filter .hint, form.fees .hint { font-weight: 400; color: var(--muted); }
form.filter .actions { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: center; }
details.box { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; margin: 16px 0; }
details.box[open] { padding-bottom: 16px; }
details.box > summary { font-weight: 600; padding: 4px 0; }
details.box > :not(summary) { margin-top: 12px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 12px; margin: 16px 0; }
.figures div { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; }
.figures dt { color: var(--muted); font-size: .875rem; }
.figures dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.figures dd .small { font-weight: 400; display: block; }
.live { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 12px 0; min-height: 36px; }
.live button { min-height: 32px; padding: 2px 12px; }
h1 .mark { font-size: 1rem; vertical-align: middle; }
.mark.failed { color: var(--major); }
.mark.succeeded { color: var(--operational); }
dl.facts { margin: 16px 0; }
table.data { table-layout: auto; font-variant-numeric: tabular-nums; }
table.data th { color: var(--muted); font-weight: 600; white-space: nowrap; }
table.data tbody th { color: inherit; font-weight: 400; white-space: normal; }
table.data td.number, table.data th.number { white-space: nowrap; }
table.data tfoot :is(td, th) { font-weight: 600; color: inherit; border-bottom: 0; }
table.data .note { display: block; color: var(--muted); }
table.data .lead { width: 45%; overflow-wrap: anywhere; }
table.data a { display: inline-block; min-height: 24px; overflow-wrap: normal; }
table.data time { white-space: nowrap; }
table.data tr.fresh { background: var(--surface); box-shadow: inset 3px 0 var(--link); }
table.data tr.fresh > :first-child { padding-left: 8px; }
.banner h2 { margin: 0; }
.banner ul { margin: 0; }
.out { color: var(--major); }
.in { color: var(--operational); }
.request { margin: 24px 0 0; }
.request pre { overflow-wrap: anywhere; white-space: pre-wrap; }
.request .copy, .commands .copy { margin-top: 8px; }
.stack > * + * { margin-top: 12px; }
pre.memo { white-space: pre-wrap; max-height: 20rem; overflow-y: auto; }
textarea { width: 100%; }
.choices { display: flex; flex-wrap: wrap; gap: 8px 24px; border: 0; padding: 0; margin: 0; }
.choices legend { font-weight: 600; font-size: .875rem; padding: 0 0 4px; }
.choices label { display: flex; gap: 8px; align-items: baseline; font-weight: 400; }
.choices input { min-height: 0; }
.total { font-size: 1.25rem; font-weight: 600; }
@media (max-width: 640px) {
  table.rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.rows, table.rows tbody, table.rows tr { display: block; }
  table.data.rows tr { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 8px 0; border-bottom: 1px solid var(--line); }
  table.data.rows tr.fresh { padding-left: 8px; }
  table.data.rows :is(td, th) { border: 0; padding: 0; width: auto; text-align: left; }
  table.data.rows :is(td, th).lead { grid-column: 1 / -1; }
  table.data.rows td:empty { display: none; }
  table.rows tfoot, table.rows tfoot td { display: block; }
  table.data.rows :is(td, th):nth-child(odd):not(.lead) { text-align: right; }
  table.data.rows [data-label]::before { content: attr(data-label) ' '; color: var(--muted); }
}
`;
