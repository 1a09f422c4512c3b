<?php
// Moodle's login page, and WordPress's with the plugin Authorizer: their phpCAS calls, with the entered settings.
require '/usr/share/php/CAS.php';
[$product, $base, $settings, $ca] = array_map('getenv', ['PRODUCT', 'BASE', 'SETTINGS', 'CA']);
$set = json_decode($settings, true);
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
phpCAS::setLogger();
if ($product === 'moodle') {
    phpCAS::client(CAS_VERSION_2_0, $set['Hostname'], (int) $set['Port'], $set['Base URI'], $base);
    $page = '/login/index.php';
} else {
    $version = constant($set['CAS server version']);
    phpCAS::client($version, $set['CAS server hostname'], (int) $set['CAS server port'], $set['CAS server path/context'], $base);
    $page = '/wp-login.php';
}
phpCAS::setCasServerCACert($ca);
if (isset($_GET['logout'])) phpCAS::logoutWithRedirectService($base);
if ($path !== $page) {
    http_response_code(404);
    exit("no page $path");
}
phpCAS::forceAuthentication();
$attributes = phpCAS::getAttributes();
header('Content-Type: application/json');
echo json_encode([
    'user' => phpCAS::getUser(),
    'name' => $attributes[$set['CAS attribute containing first name'] ?? ''] ?? null,
    'email' => $attributes[$set['CAS attribute containing email address'] ?? ''] ?? null,
]);
