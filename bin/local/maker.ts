import type { Administrator } from '#lib/auth/actor.ts';

/** Actor of records created before any administrator: demo data, and fixtures of tests and benchmarks. */
export const maker: Administrator = {
  id: 0,
  username: '',
  type: 'super_admin',
  rights: [],
  companies: 'all',
  session: 0,
  roleId: null,
};
