const form = document.querySelector('#sign-in');
const button = form.querySelector('button');

/**
 * Resolves what is opened, when it is opened. Swagger's own way resolves the whole document before it shows
 * the list: three seconds of a browser's time.
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

/** Puts what references point to in their places; a record within one of its kind stays a reference. */
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
  // The page calls the service that serves it, under whatever name it was opened.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, globalThis.location.origin);
    return { ...request, url: `${globalThis.location.origin}${pathname}${search}` };
  },
  // The validator's badge would be asked for elsewhere.
  validatorUrl: null,
  // A token can't be taken before the document has told what it is for.
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
