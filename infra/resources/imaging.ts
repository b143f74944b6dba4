import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const LAYER = join(import.meta.dirname, '../layers/sharp');

/** Adds the layer with sharp for Lambda's processors, as installed by `npm ci` on any machine. */
export function addImaging(scope: Construct): LayerVersion {
  if (!existsSync(join(LAYER, 'nodejs/node_modules/@img/sharp-linux-arm64'))) {
    throw new Error('sharp for Lambda is not installed. Run: npm run postinstall');
  }
  return new LayerVersion(scope, 'Imaging', {
    description: 'sharp for linux-arm64',
    code: Code.fromAsset(LAYER),
    compatibleArchitectures: [Architecture.ARM_64],
    compatibleRuntimes: [Runtime.NODEJS_24_X],
  });
}
