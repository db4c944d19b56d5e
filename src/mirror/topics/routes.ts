import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { notFoundError } from '../errors.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindTopicDependencies, findTopic } from './find-topic.ts';
import { findMessageAtTime, findMessageByNumber } from './find-topic-message.ts';
import { listTopicMessages, type TopicMessageDependencies } from './list-topic-messages.ts';
import {
  MessageTimePath,
  TopicAnswer,
  TopicMessageAnswer,
  TopicMessageListAnswer,
  TopicMessageListQuery,
  TopicMessagePath,
  TopicPath,
} from './schemas.ts';

const TOPIC_SECONDS = 5;
/** A message does not change. */
const MESSAGE_SECONDS = 600;

/** `GET /api/v1/topics/…`. @see contracts/mirror-entities.md sections 8 and 9.1 */
export function topicRoutes(
  dependencies: FindTopicDependencies & TopicMessageDependencies,
): FastifyPluginAsync {
  const one = (summary: string) =>
    documented(summary, { query: Type.Object({}), answer: TopicMessageAnswer });
  return async (app) => {
    app.get<{ Params: { topicId: string } }>(
      '/api/v1/topics/:topicId',
      {
        schema: {
          ...documented('One topic', { query: Type.Object({}), answer: TopicAnswer }),
          params: TopicPath,
        },
      },
      async (request, reply) => {
        const body = await findTopic(request.params.topicId, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: TOPIC_SECONDS });
      },
    );

    app.get<{ Params: { topicId: string } }>(
      '/api/v1/topics/:topicId/messages',
      {
        schema: {
          ...documented('Messages of a topic', {
            query: TopicMessageListQuery,
            answer: TopicMessageListAnswer,
          }),
          params: TopicPath,
        },
      },
      async (request, reply) => {
        const { topicId } = request.params;
        const { json, next } = await listTopicMessages(topicId, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: { topicId: string; sequenceNumber: string } }>(
      '/api/v1/topics/:topicId/messages/:sequenceNumber',
      { schema: { ...one('One message by its number'), params: TopicMessagePath } },
      async (request, reply) => {
        const { sequenceNumber, topicId } = request.params;
        const body = await findMessageByNumber(topicId, sequenceNumber, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: MESSAGE_SECONDS });
      },
    );

    // Explorers ask so before they know a time; "messages" is no topic.
    app.get('/api/v1/topics/messages', { schema: { hide: true } }, () => Promise.reject(notFoundError()));
    app.get<{ Params: { timestamp: string } }>(
      '/api/v1/topics/messages/:timestamp',
      { schema: { ...one('One message by its consensus time'), params: MessageTimePath } },
      async (request, reply) => {
        const body = await findMessageAtTime(request.params.timestamp, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: MESSAGE_SECONDS });
      },
    );
  };
}
