import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import * as versions from '#lib/platform/version.ts';

const { list, get, create, edit, remove, restore } = versions;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.system.version',
    about: 'Release notes. A version is unique within its project.',
    query: versions.VersionList,
    embeds: versions.Embeds,
    body: versions.VersionInput,
    response: versions.Version,
  },
  { list, get, create, edit, remove, restore },
);
