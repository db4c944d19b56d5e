import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindScheduleDependencies, findSchedule } from './find-schedule.ts';
import { type ListSchedulesDependencies, listSchedules } from './list-schedules.ts';
import { ScheduleAnswer, ScheduleListAnswer, ScheduleListQuery, SchedulePath } from './schemas.ts';

const LIST_SECONDS = 10;
const FINAL_SECONDS = 3600;

/** `GET /api/v1/schedules` and `/api/v1/schedules/{scheduleId}`. @see contracts/mirror-entities.md section 9.2 */
export function scheduleRoutes(
  dependencies: ListSchedulesDependencies & FindScheduleDependencies,
): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/api/v1/schedules',
      { schema: documented('List schedules', { query: ScheduleListQuery, answer: ScheduleListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listSchedules(targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );

    app.get<{ Params: { scheduleId: string } }>(
      '/api/v1/schedules/:scheduleId',
      {
        schema: {
          ...documented('One schedule', { query: Type.Object({}), answer: ScheduleAnswer }),
          params: SchedulePath,
        },
      },
      async (request, reply) => {
        const { scheduleId } = request.params;
        const { isFinal, json } = await findSchedule(scheduleId, targetOf(request), dependencies);
        return sendReady(request, reply, {
          body: json,
          maxAgeSeconds: isFinal ? FINAL_SECONDS : STATE_SECONDS,
        });
      },
    );
  };
}
