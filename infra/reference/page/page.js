const form = document.querySelector('#account');
const button = form.querySelector('button');

/**
 * Resolves references on demand, when an operation is opened. By default Swagger resolves the whole document
 * before it shows the list, which takes a browser three seconds.
 */
function resolvingOnDemand() {
  const requestResolvedSubtree = (_original, system) => (path) => {
    const { specSelectors, specActions } = system;
    if (specSelectors.specResolvedSubtree(path)) return;
    const part = specSelectors.specJson().getIn(path);
    specActions.updateResolvedSubtree(path, resolved(part?.toJS(), specSelectors.specJson(), []));
  };
  return { statePlugins: { spec: { wrapActions: { requestResolvedSubtree } } } };
}

/** Replaces references by their targets; a recursive one stays a reference. */
function resolved(part, document, within) {
  if (Array.isArray(part)) return part.map((each) => resolved(each, document, within));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...own } = part;
  if (within.includes($ref)) return part;
  if (typeof $ref === 'string') {
    const found = document.getIn($ref.split('/').slice(1));
    return { ...resolved(found.toJS(), document, [...within, $ref]), ...own };
  }
  return Object.fromEntries(
    Object.entries(own).map(([name, each]) => [name, resolved(each, document, within)]),
  );
}

const reference = globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  plugins: [resolvingOnDemand],
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  // Requests go to the origin of the page.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, globalThis.location.origin);
    return { ...request, url: `${globalThis.location.origin}${pathname}${search}` };
  },
  // The validator's badge would be requested from another host.
  validatorUrl: null,
  // A token can't be set before the document with its security schemes is loaded.
  onComplete: () => {
    button.disabled = false;
  },
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const status = form.querySelector('output');
  const { username, password } = Object.fromEntries(new FormData(form));
  try {
    const answer = await fetch('/common/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { token, message } = await answer.json();
    if (token) reference.preauthorizeApiKey('bearer', token);
    status.textContent = token ? `Signed in as ${username}` : message;
    if (token) form.elements.password.value = '';
  } catch {
    status.textContent = 'The service does not answer.';
  }
});
