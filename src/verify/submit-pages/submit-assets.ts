import { ownFile } from '../../own-files.ts';
import { browserScript, textAsset } from '../../pages/site/assets.ts';

/** Style of the form and of the pages about jobs and compilers. */
export const SUBMIT_SHEET = textAsset(
  'verify-ui.css',
  `fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px 16px; margin: 0; min-width: 0; display: grid; gap: 12px; }
legend { font-weight: 700; padding: 0 4px; }
form { margin-top: 16px; gap: 16px; }
.field { display: grid; gap: 4px; align-content: start; min-width: 0; }
.field :is(input, select, textarea) { width: 100%; }
.field input[type=file] { padding: 8px; border-style: dashed; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 12px 16px; align-items: end; }
.fault { color: var(--major); font-weight: 600; }
.faulty :is(input, select, textarea) { border-color: var(--major); border-width: 2px; }
.faults { margin-top: 16px; }
.faults h2 { margin: 0 0 8px; font-size: 1rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 8px; }
.choice, .check { display: flex; gap: 8px; align-items: start; font-weight: 400; }
.choice { border: 1px solid var(--border); border-radius: 8px; padding: 8px 12px; cursor: pointer; }
.choice:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }
:is(.choice, .check) input { min-height: 0; flex: none; width: 1.1rem; height: 1.1rem; margin-top: .2rem; }
.checks { display: flex; flex-wrap: wrap; gap: 8px 24px; }
.contracts { display: grid; gap: 8px; max-height: 60vh; overflow-y: auto; }
.of-kind { display: grid; gap: 12px; }
@supports selector(:has(a)) {
  form:has([name=kind]:checked) .of-kind { display: none; }
  form:has([value=json]:checked) .of-json, form:has([value=files]:checked) .of-files, form:has([value=metadata]:checked) .of-metadata { display: grid; }
}
.dropping { outline: 3px dashed var(--link); outline-offset: 4px; border-radius: 4px; }
.steps { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 0; list-style: none; margin-top: 8px; }
.steps li { border: 1px solid var(--line); border-radius: 12px; padding: 0 10px; color: var(--muted); font-size: .875rem; }
.steps [aria-current] { border-color: var(--link); color: var(--link); font-weight: 600; }
.banner h1 { font-size: 1.25rem; }
.banner p:has(.button) { margin-top: 12px; }
.banner { margin: 8px 0 16px; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 12px; }
.sides figcaption { font-weight: 600; padding-bottom: 4px; }
.sides pre { font-size: .8125rem; line-height: 1.45; }
.sides mark { background: var(--major); color: var(--background); border-radius: 2px; }
.sides .explained { background: transparent; color: var(--maintenance); text-decoration: underline dotted; }
.sides .place { color: var(--muted); user-select: none; }
pre.said { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; border-left: 4px solid var(--major); }
.said + .said { margin-top: 8px; }
ul + p, .banner .chips, .said-by-api, .wide-table + :is(p, .wide-table), p + :is(.sides, .wide-table), .sides + .wide-table { margin-top: 12px; }
.wide-table :is(th, .number) { overflow-wrap: normal; white-space: nowrap; }
.wide-table td { overflow-wrap: normal; min-width: 6rem; }
.wide-table td.number { min-width: 0; padding-left: 12px; }
.wide-table td.long { overflow-wrap: anywhere; min-width: 10rem; }
.wide-table td.words { min-width: 14rem; }
td.differs { font-weight: 600; color: var(--major); }
`,
);

/** Drop of files, contracts of a build-info at once, progress of the upload. */
export const SUBMIT_SCRIPT = browserScript('verify-ui.js', ownFile('verify/submit-pages/submit.browser.js'));

/** Follows a job. */
export const JOB_SCRIPT = browserScript('verify-job.js', ownFile('verify/submit-pages/job.browser.js'));

/** Everything that the pages load. */
export const SUBMIT_ASSETS = [SUBMIT_SHEET, SUBMIT_SCRIPT, JOB_SCRIPT];
