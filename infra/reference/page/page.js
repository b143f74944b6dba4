const form = document.querySelector('#sign-in');
const button = form.querySelector('button');

const reference = globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
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
