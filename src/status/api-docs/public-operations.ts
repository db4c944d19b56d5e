import type { OperationDocs } from '../../http/docs/area-docs.ts';

/** What the public documents of the status page mean. */
export const PUBLIC_OPERATIONS: Readonly<Record<string, OperationDocs>> = {
  'GET /api/v2/summary.json': {
    id: 'getSummary',
    about:
      'Everything that a status widget needs: components, open incidents, coming maintenances and the overall status.',
  },
  'GET /api/v2/status.json': { id: 'getStatus', about: 'The overall status as an indicator and a text.' },
  'GET /api/v2/components.json': {
    id: 'listComponents',
    about: 'Components and groups with their present status.',
  },
  'GET /api/v2/incidents.json': { id: 'listIncidents', about: 'The 50 newest incidents with their updates.' },
  'GET /api/v2/incidents/unresolved.json': {
    id: 'listUnresolvedIncidents',
    about: 'Incidents that are being investigated, identified or monitored.',
  },
  'GET /api/v2/scheduled-maintenances.json': {
    id: 'listMaintenances',
    about: 'The 50 latest maintenances, whatever their state.',
  },
  'GET /api/v2/scheduled-maintenances/upcoming.json': {
    id: 'listUpcomingMaintenances',
    about: 'Maintenances that are planned and have not begun.',
  },
  'GET /api/v2/scheduled-maintenances/active.json': {
    id: 'listActiveMaintenances',
    about: 'Maintenances that are in progress or being verified.',
  },
  'GET /api/v2/uptime.json': {
    id: 'getUptime',
    about: 'Uptime of each component by day, of the last 90 days.',
  },
  'GET /api/v2/components/{file}': {
    id: 'getComponent',
    about: 'One component or group: its id, followed by `.json`.',
    errors: [404],
    parameters: { file: { description: 'Id of the component and `.json`.', example: '0bcdfghjklmn.json' } },
  },
  'GET /api/v2/incidents/{file}': {
    id: 'getIncident',
    about: 'One incident or maintenance with all of its updates: its id, followed by `.json`.',
    errors: [404],
    parameters: { file: { description: 'Id of the incident and `.json`.', example: '0bcdfghjklmn.json' } },
  },
  'GET /status/history.rss': {
    id: 'getRssFeed',
    about: 'History of the page as an RSS 2.0 feed.',
    errors: [404],
  },
  'GET /status/history.atom': {
    id: 'getAtomFeed',
    about: 'History of the page as an Atom 1.0 feed.',
    errors: [404],
  },
  'GET /status/i/{id}': {
    id: 'followShortLink',
    about: 'Leads from the `shortlink` of an incident or maintenance to its page for people.',
    errors: [404],
    parameters: { id: { description: 'Id of the incident or maintenance.', example: '0bcdfghjklmn' } },
  },
};
