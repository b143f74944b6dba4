import type { Administrator } from '#lib/auth/actor.ts';

/** The maker of what is there before any administrator: of demo data, and of scenes of tests and benches. */
export const maker: Administrator = {
  id: 0,
  username: '',
  type: 'super_admin',
  rights: [],
  companies: 'all',
  session: 0,
  roleId: null,
};
