import { absent, type Reference, served } from './reference.ts';

const AUDIENCES = 'the page is public: access cannot be restricted';
const FIGURES = 'server metrics are in `GET /metrics`';
const ORGANISATION = 'there are no user accounts: any token holder may call';

export const STATUSPAGE: Reference = {
  name: 'Atlassian Statuspage',
  documents: 'https://developer.statuspage.io/',
  // The operations of its OpenAPI document, as clients generated from that list them; the public API: its pages for people.
  version: '1 of the management API, 2 of the public one',
  groups: [
    {
      name: 'public API',
      endpoints: [
        served('GET', '/api/v2/summary.json'),
        served('GET', '/api/v2/status.json'),
        served('GET', '/api/v2/components.json'),
        served('GET', '/api/v2/incidents.json'),
        served('GET', '/api/v2/incidents/unresolved.json'),
        served('GET', '/api/v2/scheduled-maintenances.json'),
        served('GET', '/api/v2/scheduled-maintenances/upcoming.json'),
        served('GET', '/api/v2/scheduled-maintenances/active.json'),
      ],
    },
    {
      name: 'management: page',
      missing: 'the embedded script',
      endpoints: [
        served('GET', '/v1/pages'),
        served('GET PATCH PUT', '/v1/pages/{page_id}'),
        absent(
          'GET PATCH PUT',
          '/v1/pages/{page_id}/status_embed_config',
          'nothing is embedded by that script',
        ),
      ],
    },
    {
      name: 'management: components',
      missing: 'audiences: the page is public',
      endpoints: [
        served('GET POST', '/v1/pages/{page_id}/components'),
        served('GET PATCH PUT DELETE', '/v1/pages/{page_id}/components/{component_id}'),
        served('GET', '/v1/pages/{page_id}/components/{component_id}/uptime'),
        served('GET POST', '/v1/pages/{page_id}/component-groups'),
        served('GET PATCH PUT DELETE', '/v1/pages/{page_id}/component-groups/{id}'),
        served('GET', '/v1/pages/{page_id}/component-groups/{id}/uptime'),
        absent('POST DELETE', '/v1/pages/{page_id}/components/{component_id}/page_access_users', AUDIENCES),
        absent('POST DELETE', '/v1/pages/{page_id}/components/{component_id}/page_access_groups', AUDIENCES),
      ],
    },
    {
      name: 'management: incidents',
      missing: 'templates, subscribers of one incident',
      endpoints: [
        served('GET POST', '/v1/pages/{page_id}/incidents'),
        served('GET', '/v1/pages/{page_id}/incidents/active_maintenance'),
        served('GET', '/v1/pages/{page_id}/incidents/upcoming'),
        served('GET', '/v1/pages/{page_id}/incidents/scheduled'),
        served('GET', '/v1/pages/{page_id}/incidents/unresolved'),
        served('GET PATCH PUT DELETE', '/v1/pages/{page_id}/incidents/{incident_id}'),
        served(
          'PATCH PUT',
          '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}',
        ),
        served('GET PUT DELETE', '/v1/pages/{page_id}/incidents/{incident_id}/postmortem'),
        served('PUT', '/v1/pages/{page_id}/incidents/{incident_id}/postmortem/publish'),
        served('PUT', '/v1/pages/{page_id}/incidents/{incident_id}/postmortem/revert'),
        absent(
          'GET POST',
          '/v1/pages/{page_id}/incidents/{incident_id}/subscribers',
          'subscriptions cover the whole page',
        ),
        absent(
          'GET DELETE',
          '/v1/pages/{page_id}/incidents/{incident_id}/subscribers/{subscriber_id}',
          'subscriptions cover the whole page',
        ),
        absent(
          'POST',
          '/v1/pages/{page_id}/incidents/{incident_id}/subscribers/{subscriber_id}/resend_confirmation',
          'no confirmation: subscriptions are added with a token',
        ),
        absent(
          'GET POST',
          '/v1/pages/{page_id}/incident_templates',
          'default texts of updates are set with `STATUS_UPDATE_TEXTS`',
        ),
      ],
    },
    {
      name: 'management: subscribers',
      missing: 'confirmations, counts, choice of components',
      endpoints: [
        served('GET POST', '/v1/pages/{page_id}/subscribers'),
        served('GET DELETE', '/v1/pages/{page_id}/subscribers/{subscriber_id}'),
        absent(
          'PATCH',
          '/v1/pages/{page_id}/subscribers/{subscriber_id}',
          'choice of components: subscriptions cover the whole page',
        ),
        absent(
          'POST',
          '/v1/pages/{page_id}/subscribers/{subscriber_id}/resend_confirmation',
          'no confirmation: subscriptions are added with a token',
        ),
        absent(
          'POST',
          '/v1/pages/{page_id}/subscribers/resend_confirmation',
          'no confirmation: subscriptions are added with a token',
        ),
        absent('POST', '/v1/pages/{page_id}/subscribers/unsubscribe', 'delete each subscriber'),
        absent('POST', '/v1/pages/{page_id}/subscribers/reactivate', 'deliveries continue after a failure'),
        absent('GET', '/v1/pages/{page_id}/subscribers/count', 'count the list'),
        absent('GET', '/v1/pages/{page_id}/subscribers/histogram_by_state', 'a subscriber has one state'),
        absent('GET', '/v1/pages/{page_id}/subscribers/unsubscribed', 'deleted subscribers are not kept'),
      ],
    },
    {
      name: 'management: metrics',
      missing: 'all: metrics are in `GET /metrics`',
      endpoints: [
        absent('GET', '/v1/pages/{page_id}/metrics', FIGURES),
        absent('GET PATCH PUT DELETE', '/v1/pages/{page_id}/metrics/{metric_id}', FIGURES),
        absent('POST DELETE', '/v1/pages/{page_id}/metrics/{metric_id}/data', FIGURES),
        absent('POST', '/v1/pages/{page_id}/metrics/data', FIGURES),
        absent('GET POST', '/v1/pages/{page_id}/metrics_providers', FIGURES),
        absent('GET PATCH PUT DELETE', '/v1/pages/{page_id}/metrics_providers/{id}', FIGURES),
        absent('GET POST', '/v1/pages/{page_id}/metrics_providers/{id}/metrics', FIGURES),
      ],
    },
    {
      name: 'management: people',
      missing: 'all: any token holder may call',
      endpoints: [
        absent('GET POST', '/v1/pages/{page_id}/page_access_users', AUDIENCES),
        absent('GET PATCH PUT DELETE', '/v1/pages/{page_id}/page_access_users/{id}', AUDIENCES),
        absent(
          'GET POST PATCH PUT DELETE',
          '/v1/pages/{page_id}/page_access_users/{id}/components',
          AUDIENCES,
        ),
        absent('DELETE', '/v1/pages/{page_id}/page_access_users/{id}/components/{component_id}', AUDIENCES),
        absent('GET POST PATCH PUT DELETE', '/v1/pages/{page_id}/page_access_users/{id}/metrics', AUDIENCES),
        absent('DELETE', '/v1/pages/{page_id}/page_access_users/{id}/metrics/{metric_id}', AUDIENCES),
        absent('GET POST', '/v1/pages/{page_id}/page_access_groups', AUDIENCES),
        absent('GET PATCH PUT DELETE', '/v1/pages/{page_id}/page_access_groups/{id}', AUDIENCES),
        absent(
          'GET POST PATCH PUT DELETE',
          '/v1/pages/{page_id}/page_access_groups/{id}/components',
          AUDIENCES,
        ),
        absent('DELETE', '/v1/pages/{page_id}/page_access_groups/{id}/components/{component_id}', AUDIENCES),
        absent('GET POST', '/v1/organizations/{organization_id}/users', ORGANISATION),
        absent('DELETE', '/v1/organizations/{organization_id}/users/{user_id}', ORGANISATION),
        absent('GET PUT', '/v1/organizations/{organization_id}/permissions/{user_id}', ORGANISATION),
      ],
    },
  ],
};
