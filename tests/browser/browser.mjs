// Shared by the tests of all pages: the program, the browser, and the checks of a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { HtmlValidate } from "html-validate";
import { chromium } from "playwright-core";

export const root = resolve(import.meta.dirname, "../..");
export const program = process.env.GAINALYZE ?? join(root, "target/debug/gainalyze");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Turn off the sandbox, which containers lack, and the browser's own network traffic. */
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

/** Opens a page and collects messages, errors, dialogs and network requests, none of which may occur. */
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

/** Returns whether the page is wider than the window. */
export const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Returns the accessibility violations that axe finds, including targets smaller than 24 pixels. */
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

/** Returns the first ten errors of the HTML in a file. */
export const mistakes = async (path) => {
  const validator = new HtmlValidate({
    extends: ["html-validate:standard"],
    rules: {
      // The width and position of a bar are data.
      "no-inline-style": "off",
      // Titles may be long.
      "long-title": "off",
    },
  });
  const result = await validator.validateString(readFileSync(path, "utf8"));
  const messages = result.results.flatMap((file) => file.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`));
  return messages.slice(0, 10);
};
