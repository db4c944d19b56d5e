import type { StatusToken } from './manage/tokens.ts';
import type { UpdateTexts } from './rules/default-texts.ts';
import type { SmtpSettings } from './subscribers/mail/mailer.ts';

/** What operators choose of area B; the defaults are those of the variables. */
export interface StatusSettings {
  /** Name of the page (text), used when it is made on the first start. */
  readonly pageName: string;
  /** Time zone of the page (IANA name), used when it is made on the first start. */
  readonly timeZone: string;
  /** Id of the page (12 characters), used when it is made on the first start; null: random. */
  readonly pageId: string | null;
  /** Whether the first start adds components for the parts of this server (flag). */
  readonly builtinComponents: boolean;
  /** Whether a start records the time in which no server ran as an outage (flag). */
  readonly recordDowntime: boolean;
  /** Whether an incident is opened and resolved for a measured component that is out for long (flag). */
  readonly autoIncidents: boolean;
  /** Texts of updates that come without one, by status; missing ones keep their default. */
  readonly updateTexts: Partial<UpdateTexts>;
  /** Who may use the management API (list). With none it answers 401 to everybody. */
  readonly tokens: readonly StatusToken[];
  /** Whether a token may also stand in the query, as `api_key` (flag). */
  readonly tokenInQuery: boolean;
  /** Origins that may show `/embed` in a frame (text), as a content policy writes them. */
  readonly frameAncestors: string;
  /** Colour of links and focus (`#rrggbb`), adjusted until it can be read; null: the usual one. */
  readonly accent: string | null;
  /** Server for mails to subscribers (`smtp://…`) and their sender (`status@example.org`). Null: no mail. */
  readonly mail: SmtpSettings | null;
  /** Whether subscribers may have loopback, private and link-local addresses (flag). */
  readonly webhookPrivate: boolean;
}

/** Those settings, and what only the process knows. */
export interface StatusOptions extends StatusSettings {
  /**
   * `page.url` (text): absolute address of the page for people, without a slash at the end. A changed
   * value is taken over at the next start; otherwise the stored one counts. No default.
   */
  readonly pageUrl: string;
  /** Absolute address under which the APIs stand (text), without a slash at the end; subscribers are told. No default. */
  readonly apiUrl: string;
  /** What stands before the paths of the shared listener in links (text), such as `/ledger`. Default: nothing. */
  readonly publicPath?: string;
  /** The same for the listener of its own. */
  readonly ownPath?: string;
  /** Version that the page shows and subscribers are told (text). No default. */
  readonly version: string;
  /**
   * Whether a page that is stored keeps its URL whatever is configured (flag): for commands, which may run
   * with other settings than the server. Default false.
   */
  readonly keepsStoredUrl?: boolean;
  /** An SVG, PNG or WebP picture that stands before the page's name (its bytes). Default null: none. */
  readonly logo?: Buffer | null;
}
