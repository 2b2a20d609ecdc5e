// Owns what the tests of all pages share: the program, the browser, and what must not happen on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { HtmlValidate } from "html-validate";
import { chromium } from "playwright-core";

export const root = resolve(import.meta.dirname, "../..");
export const program = process.env.GAINALYZE ?? join(root, "target/debug/gainalyze");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Without the sandbox, which containers do not have, and without traffic of the browser's own. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser. */
export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Opens a page and collects what must not happen on it. */
export const open = async (browser, path, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const bad = [];
  page.on("console", (message) => bad.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => bad.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => (bad.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) bad.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  return { page, context, bad };
};

/** Whether something is wider than the window. */
export const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Findings of axe: of any kind, and targets of fewer than 24 pixels. */
export const barriers = async (page) => {
  await page.addScriptTag({ content: axe }).catch(async () => page.evaluate(axe));
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ["violations"],
      rules: { "target-size": { enabled: true } },
    });
    return violations
      .map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
  });
  return found;
};

/** What is no valid HTML. */
export const mistakes = async (path) => {
  const validator = new HtmlValidate({
    extends: ["html-validate:standard"],
    rules: {
      // The width and place of a bar are values, not styles.
      "no-inline-style": "off",
      // A row of numbers has its line to itself, however long.
      "long-title": "off",
    },
  });
  const result = await validator.validateString(readFileSync(path, "utf8"));
  const messages = result.results.flatMap((file) => file.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`));
  return messages.slice(0, 10);
};
