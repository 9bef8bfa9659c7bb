import { authorizer } from '#lib/edge/http/authorizer.ts';
import { wireAuthorize } from '#lib/wiring/authorize.ts';

const { authorize } = wireAuthorize();

export const handler = authorizer(authorize);
