import { Type } from '@sinclair/typebox';

/** The error body of every route below `/api/v1`. @see contracts/mirror-transactions.md section 7 */
export const MirrorError = Type.Object(
  {
    _status: Type.Object({
      messages: Type.Array(
        Type.Object(
          {
            message: Type.String(),
            detail: Type.Optional(Type.String()),
            data: Type.Optional(Type.String()),
          },
          { title: 'ErrorMessage' },
        ),
      ),
    }),
  },
  { title: 'MirrorError' },
);
