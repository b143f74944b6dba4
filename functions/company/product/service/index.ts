import * as services from '#lib/catalog/service/service.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, patch, remove, restore } = services;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.product.service',
    about: 'Services, sold in their own units.',
    query: services.List,
    embeds: services.Embeds,
    body: services.ServiceInput,
    patchBody: services.ServicePatch,
    response: services.Service,
  },
  { list, get, create, edit, patch, remove, restore },
);
