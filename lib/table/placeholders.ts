/**
 * Names and values of one command, shared by all its expressions: DynamoDB requires placeholders for both.
 */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(path: string): string {
    return path
      .split('.')
      .map((part) => {
        // A counter is named after its type, and placeholders can't contain hyphens.
        const placeholder = `#${part.replaceAll('-', '_')}`;
        this.names[placeholder] = part;
        return placeholder;
      })
      .join('.');
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The command's parameters; DynamoDB rejects empty ones. */
  get parameters() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}
